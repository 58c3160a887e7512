/// The script that the server runs.
///
/// It charges each bucket its cost up to `count` times, the same number for all buckets, if no
/// charge has to wait longer than the bound. A bucket is stored as its debt, the units that it
/// lacks to be full, with the time of its last change and its period. All are whole numbers up to
/// 2^53, so that Lua's doubles are exact, and packed in binary as three doubles, because the text
/// of a Lua number keeps only 14 digits.
///
/// Time never runs backward: if the clock steps back, nothing refills until it has caught up. If it
/// is behind by more than a refill of the bucket, the call that notices stores the present with the
/// debt as it is, although it grants nothing: the bucket refills from then on.
enum LimitScript {
  /// The SHA-1 of the source, which identifies the script on servers.
  static let digest = "a766628b3d520b81d992b7e8bcf05a5571e17b4f"

  static let source = """
    -- KEYS: the buckets. ARGV: how many (-1: forget them), how long to wait; speed, period, capacity,
    -- cost of each bucket.
    local call, floor = redis.call, math.floor
    local time = call('TIME')
    local now = time[1] * 1000000 + time[2]
    local granted, wait = ARGV[1] + 0, ARGV[2] + 0
    if granted < 0 then return { call('DEL', unpack(KEYS)) } end
    local reply, stamps = { 0 }, {}
    for i = 1, #KEYS do
      local speed, period, capacity, cost =
        ARGV[4 * i - 1] + 0, ARGV[4 * i] + 0, ARGV[4 * i + 1] + 0, ARGV[4 * i + 2] + 0
      local debt, stamp = 0, now
      local value = call('GET', KEYS[i])
      if value then
        if #value ~= 24 then return redis.error_reply('PACING a key holds something else') end
        local seen, old
        debt, seen, old = struct.unpack('<ddd', value)
        if old ~= period then
          debt = math.min(math.ceil(debt * period / old), 9007199254740992)
        end
        if seen <= now then
          debt = debt - (now - seen) * speed
          if debt < 0 then debt = 0 end
        elseif (seen - now) * speed <= capacity then
          stamp = seen
        else
          value = struct.pack('<ddd', debt, now, period)
          call('SET', KEYS[i], value, 'PX', math.ceil(debt / ARGV[4 * i - 1] / 1000))
        end
      end
      if cost > 0 then
        local room = floor((capacity + wait * speed - debt) / cost)
        if room < granted then granted = room end
      end
      reply[i + 1], stamps[i] = debt, stamp
    end
    if granted < 0 then granted = 0 end
    reply[1] = granted
    for i = 1, granted > 0 and #KEYS or 0 do
      local charge = granted * ARGV[4 * i + 2]
      if charge > 0 then
        local debt = reply[i + 1] + charge
        if debt > 9007199254740992 then debt = 9007199254740992 end
        local value = struct.pack('<ddd', debt, stamps[i], ARGV[4 * i] + 0)
        call('SET', KEYS[i], value, 'PX', math.ceil(debt / ARGV[4 * i - 1] / 1000))
        reply[i + 1] = debt
      end
    end
    return reply
    """
}
