#!/usr/bin/env python3
"""Turns the Linux toolchain's textual interfaces of the standard library into those of an Apple target.

usage: retarget.py RESOURCES SDK MODULE_TRIPLE TARGET

The interfaces keep their @available annotations for Apple's systems, so the compiler checks the
availability of all API. What the standard library has only with Objective-C is added as far as the
compiler itself needs it.
"""
import os, re, sys

resources, sdk, name, target = sys.argv[1:5]
SOURCE = os.path.join(resources, "linux")
MODULES = """Swift _Concurrency Synchronization _StringProcessing _RegexParser SwiftOnoneSupport
Observation _Builtin_float RegexBuilder _TestingInterop Testing""".split()

OBJC = """
@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee> : Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  @_transparent public init(_ _rawValue: Builtin.RawPointer) { self._rawValue = _rawValue }
  @inlinable public var pointee: Pointee {
    get { return UnsafePointer(self).pointee }
    nonmutating set { UnsafeMutablePointer<Pointee>(_rawValue).pointee = newValue }
  }
}
extension UnsafePointer {
  @_transparent public init(_ other: AutoreleasingUnsafeMutablePointer<Pointee>) { self.init(other._rawValue) }
}
@available(*, unavailable)
extension Swift.AutoreleasingUnsafeMutablePointer : Swift.Sendable {}
"""

def narrow(text):
    """Int and UInt of a 32-bit target."""
    lines = text.split("\n")
    def start(name):
        return next(i for i, l in enumerate(lines) if l.startswith(f"@frozen public struct {name} : Swift.FixedWidthInteger"))
    order = ["UInt8", "Int8", "UInt16", "Int16", "UInt32", "Int32", "UInt64", "Int64", "UInt", "Int"]
    starts = {n: start(n) for n in order}
    def end(name):
        later = [i for i in starts.values() if i > starts[name]]
        if later: return min(later)
        return next(i for i in range(starts[name] + 1, len(lines)) if re.match(r"(@\S+ )*public (struct|enum|class|protocol) ", lines[i]) )
    for n in order:
        block = "\n".join(lines[starts[n]:end(n)])
        signed = not n.startswith("U")
        bits = {"8": 8, "16": 16, "32": 32, "64": 64}.get(n.lstrip("UInt"), 0)
        if bits == 0:
            block = block.replace("Builtin.sextOrBitCast_Int64_Int64", "Builtin.sextOrBitCast_Int32_Int32")
            block = block.replace("Builtin.zextOrBitCast_Int64_Int64", "Builtin.zextOrBitCast_Int32_Int32")
            block = re.sub(r"(Builtin\.[A-Za-z_]*?)Int128", r"\1Int~64", block)
            block = re.sub(r"Builtin\.\w+", lambda m: re.sub(r"Int64|Int~64", lambda k: {"Int64": "Int32", "Int~64": "Int64"}[k.group()], m.group().replace("Int128", "Int~64")), block)
            block = block.replace("~", "")
            block = re.sub(r"Builtin\.[sz]extOrBitCast_Word_Int32", "Builtin.truncOrBitCast_Word_Int32", block)
            block = block.replace("Builtin.truncOrBitCast_Int32_Word", "Builtin." + ("s" if signed else "z") + "extOrBitCast_Int32_Word")
            block = block.replace("return 64 }", "return 32 }").replace("& 63", "& 31").replace("&>> 63", "&>> 31")
            block = block.replace("(64 + 64 - 1) / 64", "1").replace("UInt8(64)", "UInt8(32)").replace("&* 64", "&* 32")
            block = block.replace("UInt64(_value)", "UInt64(UInt(_value))")
            block = block.replace("-9223373136366403584.0", "-2147483904.0").replace("9223372036854775808.0", "2147483648.0").replace("18446744073709551616.0", "4294967296.0")
        else:
            low = ("s" if signed else "z") + f"extOrBitCast_Int{bits}_Int64"
            to = (f"truncOrBitCast_Int{bits}_Int32" if bits > 32 else ("s" if signed else "z") + f"extOrBitCast_Int{bits}_Int32")
            at = block.find("var _lowWord")
            if at >= 0:
                block = block[:at] + block[at:].replace("Builtin." + low, "Builtin." + to, 1)
            at = block.find("init(_truncatingBits")
            if at >= 0:
                fr = f"truncOrBitCast_Int64_Int{bits}"
                block = block[:at] + block[at:].replace("Builtin." + fr, "Builtin." + (f"zextOrBitCast_Int32_Int{bits}" if bits > 32 else f"truncOrBitCast_Int32_Int{bits}"), 1)
        new = block.split("\n")
        assert len(new) == end(n) - starts[n]
        lines[starts[n]:end(n)] = new
    text = "\n".join(lines)
    text = text.replace("UInt(Builtin.trunc_Int128_Int64(_value))", "UInt(Builtin.trunc_Int128_Int32(_value))")
    text = text.replace("truncOrBitCast_Int64_Int64(", "truncOrBitCast_Int64_Int32(")
    text = text.replace("s_to_s_checked_trunc_Int64_Int64(", "s_to_s_checked_trunc_Int64_Int32(")
    text = text.replace("return 0x4000_0000_0000_0000", "return 0x2")
    # Conversions to floating-point numbers.
    text = re.sub(r"(public init\(_ v: Swift\.U?Int\) \{\n\s*_value = Builtin\.[su]itofp_)Int64", r"\1Int32", text)
    text = re.sub(r"(let extended = U?Int\(truncatingIfNeeded: value\)\n\s*_value = Builtin\.[su]itofp_)Int64", r"\1Int32", text)
    # Vectors of Int keep lanes of 64 bits, which nobody here looks at.
    text = re.sub(r"(init\(repeating scalar: Swift\.(U?)Int\) \{\n[^\n]*\n\s*Builtin\.zeroInitializer\(\), )scalar\._value", r"\1\2Int64(scalar)._value", text)
    text = re.sub(r"(subscript\(index: Swift\.Int\) -> Swift\.(U?)Int \{\n\s*@_transparent get \{\n\s*return )U?Int\((Builtin\.extractelement_\w+\(\n[^\n]*\n\s*\))\)", r"\1\2Int(truncatingIfNeeded: \2Int64(\3))", text)
    text = re.sub(r"(subscript\(index: Swift\.Int\) -> Swift\.(U?)Int \{(?:\n[^\n]*){4,9}?\n\s*_value, )newValue\._value", r"\1\2Int64(newValue)._value", text)
    return text

def narrow_atomics(text):
    out = []
    for block in re.split(r"(?m)^(?=@available\([^\n]*\n(?:@\S+ )*(?:public |extension ))", text):
        if re.search(r"^extension Swift\.U?Int : Synchronization|^extension Synchronization\.Atomic where Value == Swift\.U?Int \{", block, re.M):
            block = block.replace("_Atomic64BitStorage", "_Atomic32BitStorage")
            block = re.sub(r"Builtin\.\w+", lambda m: m.group().replace("Int64", "Int32"), block)
        elif "extension Synchronization.WordPair : Synchronization.AtomicRepresentable" in block:
            block = block.replace("_Atomic128BitStorage", "_Atomic64BitStorage")
            block = re.sub(r"Builtin\.\w+", lambda m: m.group().replace("Int64", "Int32").replace("Int128", "Int64"), block)
            block = block.replace("UInt(64)", "UInt(32)")
        out.append(block)
    return "".join(out)

for module in MODULES:
    with open(f"{SOURCE}/{module}.swiftmodule/x86_64-unknown-linux-gnu.swiftinterface") as file:
        text = file.read()
    lines = text.split("\n")
    for i, line in enumerate(lines):
        if line.startswith("// swift-module-flags:"):
            line = re.sub(r"-target \S+", f"-target {target}", line)
            line = line.replace("-disable-objc-interop", "").replace(" -static ", " ")
            line = line.replace("-target-min-inlining-version min", "-disable-availability-checking")
            line = line.replace("-library-level api", "")
            lines[i] = line
            break
    text = "\n".join(lines)
    text = re.sub(r"^(@_exported )?((?:public )?)import Glibc$", r"\1\2import Darwin", text, flags=re.M)
    # On Linux the bodies of these are not printed.
    text = re.sub(r"@backDeployed\([^)]*\) ?", "", text)
    if module == "Swift":
        text += OBJC
        # Float80 is Intel's only; nobody here names it.
        text = text.replace("_stdlib_remainderl(self, other)", "other")
        text = text.replace("_stdlib_squareRootl(self)", "self + 0")
    if module == "Swift" and target.startswith("arm64_32"):
        text = narrow(text)
    if module == "Synchronization" and target.startswith("arm64_32"):
        text = narrow_atomics(text)
    if "-xros" in target:
        # What is older than the platform; the compiler takes this from the SDK's settings.
        text = re.sub(r"@available\(((?:(?!visionOS)[^)\n])*\biOS \d(?:(?!visionOS)[^)\n])*), \*\)", r"@available(\1, visionOS 1.0, *)", text)
    if module == "Synchronization":
        # Apple's mutex is an os_unfair_lock; its size is the same.
        text = text.replace("_swift_stdlib_gettid()", "(1 as UInt32)")
    os.makedirs(f"{sdk}/usr/lib/swift/{module}.swiftmodule", exist_ok=True)
    path = f"{sdk}/usr/lib/swift/{module}.swiftmodule/{name}.swiftinterface"
    # An unchanged one keeps its date, and what was built from it.
    if not os.path.exists(path) or open(path).read() != text:
        with open(path, "w") as file:
            file.write(text)
