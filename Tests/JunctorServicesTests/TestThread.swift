import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A thread of its own, so that blocking it starves no pool.
final class TestThread: Sendable {
  private let done = DispatchSemaphore(value: 0)

  /// Starts the thread.
  init(_ body: @escaping @Sendable () -> Void) {
    let call = Call(body, done)
    // SAFETY: the reference is taken over by the new thread.
    let context = unsafe Unmanaged.passRetained(call).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    // SAFETY: `thread` is written before it is read; a thread that is detached is not used afterwards.
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        #if canImport(Darwin)
          let call = unsafe Unmanaged<Call>.fromOpaque(context).takeRetainedValue()
        #else
          let call = unsafe Unmanaged<Call>.fromOpaque(context.unsafelyUnwrapped)
            .takeRetainedValue()
        #endif
        call.run()
        return nil
      }, context)
    precondition(code == 0, "Can't start a thread: the system refused. Run fewer at once.")
    #if canImport(Darwin)
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
  }

  /// Waits until the body has ended. Call it once.
  func join() { done.wait() }

  private final class Call {
    private var body: (() -> Void)?
    private let done: DispatchSemaphore

    init(_ body: @escaping () -> Void, _ done: DispatchSemaphore) {
      self.body = body
      self.done = done
    }

    /// Runs the body, lets it and what it holds go, and only then says that it has ended.
    func run() {
      body?()
      body = nil
      done.signal()
    }
  }
}

/// Blocks threads until it is opened.
final class Gate: Sendable {
  private let group = DispatchGroup()
  private let isOpen = Atomic<Bool>(false)

  /// A closed gate.
  init() { group.enter() }

  /// Opens the gate, for good.
  func open() {
    if !isOpen.exchange(true, ordering: .relaxed) { group.leave() }
  }

  /// Blocks the calling thread until the gate is open.
  func wait() { group.wait() }
}
