/// How many blocks this thread has taken from the allocator so far; 0 where that is not counted.
long allocations_on_this_thread(void);

/// The bytes that the allocator has handed out and not got back; 0 where that is not known.
long allocated_bytes(void);

/// The bytes of the process that are in memory, when the allocator has given back to the system what
/// it need not keep; 0 where that is not known.
long resident_bytes_after_trim(void);

/// How often the system has taken the processor from this thread; 0 where that is not known.
long preemptions_of_this_thread(void);
