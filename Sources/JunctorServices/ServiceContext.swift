internal import CJunctorServices
internal import JunctorCore

/// What the calling thread, or task, is building right now.
struct ServiceContext {
  /// The innermost build that others may wait for.
  let build: ServiceBuild?
  /// The transients inside it, outermost first.
  let via: [ServiceStep]
  /// How many providers are running below.
  let depth: Int

  /// Whether there is anything to find out at all. Cheap.
  static var isBuilding: Bool {
    junctor_is_building()
  }

  /// Finds out.
  static var current: ServiceContext {
    var via: [ServiceStep] = []
    // SAFETY: frames live on the calling thread's stack (or on that of the thread which waits for it), below us;
    // what they point to is retained by the functions that pushed them.
    var frame = unsafe junctor_reader_record().pointee.frame
    let depth = unsafe frame?.pointee.depth ?? 0
    while let current = unsafe frame {
      if let build = unsafe current.pointee.build {
        let build = unsafe Unmanaged<ServiceBuild>.fromOpaque(build).takeUnretainedValue()
        return ServiceContext(build: build, via: via.reversed(), depth: depth)
      }
      let slot = unsafe Unmanaged<ServiceSlot>.fromOpaque(current.pointee.slot)
        .takeUnretainedValue()
      via.append(slot.step)
      unsafe frame = current.pointee.parent
    }
    let build = ServiceBuild.ofTask
    return ServiceContext(build: build, via: via.reversed(), depth: depth + (build?.depth ?? 0))
  }

  /// Notes that what is being built here was given a service.
  static func note(_ slot: ServiceSlot, of set: Services) {
    if isBuilding { current.build?.note(slot, of: set) }
  }

  /// The path of a transient that asks for itself, if running that slot's provider now would be that.
  static func cycle(of slot: ServiceSlot, argument: ServiceArgument?) -> [ServiceStep]? {
    // SAFETY: as in `current`.
    var frame = unsafe junctor_reader_record().pointee.frame
    var path: [ServiceStep] = []
    while let current = unsafe frame {
      let other = unsafe Unmanaged<ServiceSlot>.fromOpaque(current.pointee.slot)
        .takeUnretainedValue()
      path.append(other.step)
      if other === slot {
        let otherArgument = unsafe current.pointee.argument.map {
          unsafe Unmanaged<ServiceArgument>.fromOpaque($0).takeUnretainedValue()
        }
        if otherArgument == argument { return path.reversed() + [slot.step] }
      }
      unsafe frame = current.pointee.parent
    }
    guard unsafe frame == nil, var build = ServiceBuild.ofTask else { return nil }
    while true {
      path.append(build.step)
      if build.slotID == slot.id { return path.reversed() + [slot.step] }
      path.append(contentsOf: build.via.reversed())
      guard let parent = build.parent else { return nil }
      build = parent
    }
  }

  /// Runs a provider with a frame for it on this thread, on another stack when this one runs short.
  static func run<Result>(
    _ slot: ServiceSlot, build: ServiceBuild?, argument: ServiceArgument?,
    _ body: () throws -> Result
  ) throws -> Result {
    try withExtendedLifetime((slot, build, argument)) {
      // SAFETY: the frame lives in this function's own stack frame and is taken off before it is left; what it points
      // to is kept alive by `withExtendedLifetime`. The record belongs to the calling thread.
      let reader = unsafe junctor_reader_record()
      let parent = unsafe reader.pointee.frame
      let below = unsafe parent?.pointee.depth ?? 0
      if below >= maximalDepth { throw ServiceError.tooDeep(slot.step, depth: below) }
      var frame = unsafe junctor_frame(
        parent: parent, slot: Unmanaged.passUnretained(slot).toOpaque(),
        build: build.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) },
        argument: argument.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) },
        depth: below + 1)
      return try unsafe withUnsafeMutablePointer(to: &frame) { pointer in
        if junctor_stack_left() < ServiceStack.reserve {
          return try unsafe ServiceStack.run(frame: pointer, step: slot.step, body)
        }
        unsafe reader.pointee.frame = unsafe pointer
        defer { unsafe reader.pointee.frame = unsafe parent }
        return try body()
      }
    }
  }

  /// How many providers may be running inside one another.
  static let maximalDepth = 100_000
}
