internal import CJunctorServices
internal import JunctorCore

/// What the calling thread, or task, is building right now.
struct ServiceContext {
  /// The innermost build that others may wait for.
  let build: ServiceBuild?
  /// The transients inside it, outermost first.
  let via: [ServiceStep]

  /// The innermost build that others may wait for.
  ///
  /// - Complexity: O(1).
  static var currentBuild: ServiceBuild? {
    // SAFETY: the frame is on this thread's stack, or on that of the thread which waits for this one; the function that
    // pushed it, or one below it, retains the build.
    guard let frame = unsafe junctor_reader_record().pointee.frame,
      let build = unsafe frame.pointee.build
    else { return ofTask }
    return unsafe Unmanaged<ServiceBuild>.fromOpaque(build).takeUnretainedValue()
  }

  /// The build whose asynchronous provider this task belongs to, as long as that runs: a task that outlives the provider
  /// which made it no longer asks on its behalf.
  private static var ofTask: ServiceBuild? {
    guard let build = ServiceTask.current?.build, !build.isFinished else { return nil }
    return build
  }

  /// Finds out.
  ///
  /// - Complexity: O(transients inside the innermost build).
  static var current: ServiceContext {
    let build = currentBuild
    var via: [ServiceStep] = []
    // SAFETY: as in `currentBuild`; slots are retained like builds.
    var frame = unsafe junctor_reader_record().pointee.frame
    while let current = unsafe frame, unsafe !current.pointee.is_build {
      let slot = unsafe self.slot(at: current.pointee.slot)
      via.append(slot.step)
      unsafe frame = current.pointee.parent
    }
    return ServiceContext(build: build, via: via.reversed())
  }

  /// Notes that what is being built here was given a service, if that is not noted already.
  static func note(_ slot: ServiceSlot) {
    // SAFETY: as in `currentBuild`; the cell lives as long as the slot.
    let reader = unsafe junctor_reader_record()
    guard unsafe junctor_must_note(reader, slot.cell), let build = currentBuild else { return }
    build.note(slot)
    unsafe junctor_note(reader.pointee.frame, slot.id)
  }

  /// The path of a transient that asks for itself, if running that slot's provider now would be that.
  ///
  /// - Complexity: O(providers running), in a few loads each.
  static func cycle(of slot: ServiceSlot, argument: ServiceArgument?) -> [ServiceStep]? {
    // SAFETY: as in `current`.
    let top = unsafe junctor_reader_record().pointee.frame
    // As in `junctor_admits`.
    let depth = unsafe top?.pointee.depth ?? 0
    if depth > 256, !depth.isMultiple(of: 64) { return nil }
    let address = unsafe Unmanaged.passUnretained(slot).toOpaque()
    let hash = argument?.hash ?? 0
    var frame = unsafe junctor_frame_find(top, address, hash)
    while let found = unsafe frame {
      let other = unsafe found.pointee.argument.map {
        unsafe Unmanaged<ServiceArgument>.fromOpaque($0).takeUnretainedValue()
      }
      if other == argument { return unsafe steps(from: top, to: found).reversed() + [slot.step] }
      unsafe frame = junctor_frame_find(found.pointee.parent, address, hash)
    }
    guard unsafe top == nil, let build = ofTask else { return nil }
    return cycle(of: slot, argument: argument, from: build)
  }

  /// The same among the transients that tasks wait for.
  private static func cycle(
    of slot: ServiceSlot, argument: ServiceArgument?, from innermost: ServiceBuild
  ) -> [ServiceStep]? {
    if innermost.depth > 256, !innermost.depth.isMultiple(of: 64) { return nil }
    var candidate: ServiceBuild? = innermost
    while let build = candidate, build.slotID != slot.id || build.argument != argument {
      candidate = build.parent
    }
    guard let outermost = candidate else { return nil }
    var path: [ServiceStep] = []
    var build: ServiceBuild? = innermost
    while let current = build {
      path.append(current.step)
      if current === outermost { break }
      path.append(contentsOf: current.via.reversed())
      build = current.parent
    }
    return path.reversed() + [slot.step]
  }

  /// The slot at an address.
  // SAFETY: a slot lies there, and lives as long as its provider runs or the caller holds its set.
  @unsafe
  private static func slot(at address: UnsafeRawPointer) -> ServiceSlot {
    unsafe Unmanaged<ServiceSlot>.fromOpaque(address).takeUnretainedValue()
  }

  /// The steps of the frames from one down to another, innermost first.
  // SAFETY: the frames are the calling thread's, as in `current`.
  @unsafe
  private static func steps(
    from top: UnsafeMutablePointer<junctor_frame>?, to last: UnsafeMutablePointer<junctor_frame>
  ) -> [ServiceStep] {
    var steps: [ServiceStep] = []
    var frame = unsafe top
    while let current = unsafe frame {
      steps.append(
        unsafe self.slot(at: current.pointee.slot).step)
      if unsafe current == last { break }
      unsafe frame = current.pointee.parent
    }
    return steps
  }

  /// Runs a provider with a frame for it on this thread, on another stack when this one runs short.
  ///
  /// - Parameters:
  ///   - slot: whose provider it is.
  ///   - build: the build that others may wait for, if there is one.
  ///   - argument: what is asked with.
  ///   - staysOnThread: whether it must not run on another thread, and so on no other stack.
  ///   - body: runs the provider.
  static func run<Result>(
    _ slot: ServiceSlot, build: ServiceBuild?, argument: ServiceArgument?, staysOnThread: Bool,
    _ body: () throws -> Result
  ) throws -> Result {
    try withExtendedLifetime((slot, build, argument)) {
      // SAFETY: the frame lives in this function's own stack frame and is taken off before it is left; what it points
      // to is kept alive by `withExtendedLifetime`. The record belongs to the calling thread.
      let reader = unsafe junctor_reader_record()
      let parent = unsafe reader.pointee.frame
      let below = unsafe parent?.pointee.depth ?? 0
      if below >= maximalDepth { throw ServiceError.tooDeep(slot.step, depth: below) }
      var room = unsafe junctor_frame_room()
      return try unsafe withUnsafeMutablePointer(to: &room) { room in
        let frame = unsafe junctor_frame_make(
          room, parent, Unmanaged.passUnretained(slot).toOpaque(),
          build.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) },
          argument.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) },
          argument?.hash ?? 0)
        if junctor_stack_left() < ServiceStack.reserve {
          if staysOnThread { throw ServiceError.noStack(slot.step, isOnMainActor: true) }
          return try unsafe ServiceStack.run(frame: frame, step: slot.step, body)
        }
        unsafe reader.pointee.frame = unsafe frame
        defer { unsafe junctor_frame_leave(reader, frame) }
        return try body()
      }
    }
  }

  /// How many providers may be running inside one another.
  static let maximalDepth = Int(JUNCTOR_DEEPEST)
}
