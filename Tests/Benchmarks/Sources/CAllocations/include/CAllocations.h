/// How many blocks this thread has taken from the allocator so far; 0 where that is not counted.
long allocations_on_this_thread(void);

/// The bytes that the allocator has handed out and not got back; 0 where that is not known.
long allocated_bytes(void);
