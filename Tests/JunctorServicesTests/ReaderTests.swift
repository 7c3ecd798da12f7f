#if os(Linux)
  import CJunctorServices
  import Glibc
  import Synchronization
  import Testing

  @testable import JunctorServices

  @Suite struct ReaderTests {
    /// The state of a thread in the kernel's eyes; `nil` if it has gone.
    private func state(of thread: Int32) -> Character? {
      guard let file = unsafe fopen("/proc/self/task/\(thread)/stat", "r") else { return nil }
      defer { unsafe fclose(file) }
      var text = [UInt8](repeating: 0, count: 256)
      let count = unsafe fread(&text, 1, text.count, file)
      let line = String(decoding: text.prefix(count), as: UTF8.self)
      guard let end = line.lastIndex(of: ")") else { return nil }
      return line[line.index(after: end)...].first { $0 != " " }
    }

    /// The calling thread's number in the kernel.
    private func ownNumber() -> Int32 {
      var text = [CChar](repeating: 0, count: 64)
      let count = unsafe readlink("/proc/thread-self", &text, text.count)
      let path = String(decoding: text.prefix(max(count, 0)).map(UInt8.init), as: UTF8.self)
      return path.split(separator: "/").last.flatMap { Int32($0) } ?? 0
    }

    @Test func `S18 a writer of high priority lets a reader go on that has lost its processor`() {
      let inside = Gate()
      let leave = Gate()
      let reader = TestThread {
        let record = unsafe junctor_reader_record()
        unsafe junctor_reader_begin(record)
        inside.open()
        leave.wait()
        unsafe junctor_reader_end(record)
      }
      inside.wait()
      let name = Atomic<Int32>(0)
      let writer = TestThread {
        name.store(ownNumber(), ordering: .relaxed)
        ServiceReaders.wait()
      }
      let end = ContinuousClock.now + .seconds(20)
      var sleeps = false
      while !sleeps, ContinuousClock.now < end {
        let thread = name.load(ordering: .relaxed)
        sleeps = thread != 0 && state(of: thread) == "S"
        sched_yield()
      }
      // One that yields only would never let a thread of lower priority have its processor.
      #expect(sleeps)
      leave.open()
      reader.join()
      writer.join()
    }
  }
#endif
