/// Which callers of an ``AsyncDebouncer`` or an ``AsyncThrottler`` get what a run returns.
///
/// The callers `a`, `b` and `c` of one run, which is for `c`:
///
///     .newest    a and b: superseded       c: executed
///     .everyone  a and b: shared           c: executed
public struct Answering: Hashable, Sendable {
  let isShared: Bool

  /// The caller of the call that ran; callers of superseded calls get `superseded` as soon as a
  /// newer call comes: the default.
  public static var newest: Answering { Answering(isShared: false) }

  /// All callers of superseded calls too: they wait for the run that stands for them, and get its
  /// result as `shared`, or its error.
  ///
  /// The run is cancelled when the last of all these callers has left. A call that is dropped
  /// instead, by the tool's edges or by ``Overlap/dropNew``, and one whose run is cancelled in
  /// favour of a newer one, get `superseded`.
  public static var everyone: Answering { Answering(isShared: true) }
}
