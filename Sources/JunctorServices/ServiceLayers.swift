internal import JunctorCore
internal import Synchronization

/// An object of a slot, and what decorators have wrapped it in.
struct ServiceLayers: Sendable {
  /// The object, or one of its wrappers.
  struct Layer: Sendable {
    /// The service.
    let box: ServiceBox
    /// When it came about: dependents come after what they depend on. Never given twice.
    let order = Identifier.next()
    /// How far starting and closing have got, wherever the layer has been copied to.
    fileprivate(set) var progress = LayerProgress()
  }

  /// What is given out.
  private(set) var outermost: Layer
  /// What that is wrapped around, innermost first.
  private(set) var wrapped: [Layer] = []
  /// How many decorators have had their turn.
  private(set) var applied: Int
  /// Whether the innermost layer is what the alternate gave.
  let isInherited: Bool
  /// Whether the innermost layer is an object of another service, which the provider asked for and gave back.
  private(set) var isBorrowed = false
  /// Whether it is known whose object the innermost layer is; what decorators ask for later tells nothing about that.
  private var isLenderKnown = false

  /// An object that nothing is wrapped around, as far as is known.
  init(_ box: ServiceBox, applied: Int = 0, isInherited: Bool = false) {
    outermost = Layer(box: box)
    self.applied = applied
    self.isInherited = isInherited
  }

  /// Something that was behind the set, in wrappers of which the outermost is left.
  init(_ inherited: ServiceBox, wrappedIn box: ServiceBox, applied: Int) {
    self.init(inherited, isInherited: true)
    if !isSameService(inherited, box) { wrap(in: box) }
    self.applied = applied
  }

  /// What is given out.
  var box: ServiceBox { outermost.box }

  /// What the first decorator was given.
  var innermost: ServiceBox { wrapped.first?.box ?? outermost.box }

  /// The layers that this slot has made, innermost first.
  var own: ArraySlice<Layer> { (wrapped + [outermost]).dropFirst(isInherited ? 1 : 0) }

  /// Takes in what the next decorator gave.
  mutating func wrap(in box: ServiceBox) {
    applied += 1
    // A decorator may give back what it was given; then there is no wrapper.
    if isSameService(box, outermost.box) { return }
    wrapped.append(outermost)
    outermost = Layer(box: box)
  }

  /// Whose the innermost layer is, if it is another service's.
  enum Lender {
    /// That of a set which stands behind this one, and closes it.
    case behind
    /// That of another set, which may go without closing it: whichever is the first to start or to close it does so.
    case elsewhere(LayerProgress)
  }

  /// Notes whose the innermost layer is, once: when its provider has given it.
  ///
  /// - Parameter lender: finds out.
  mutating func noteLender(_ lender: (AnyObject) -> Lender?) {
    if isLenderKnown { return }
    isLenderKnown = true
    guard let object = innermost.object else { return }
    switch lender(object) {
    case .behind: isBorrowed = true
    case .elsewhere(let progress):
      if wrapped.isEmpty { outermost.progress = progress } else { wrapped[0].progress = progress }
    case nil: break
    }
  }

  /// An object that was given in, and not made by a provider.
  static func givenIn(_ box: ServiceBox) -> ServiceLayers {
    var layers = ServiceLayers(box)
    layers.isLenderKnown = true
    return layers
  }
}

/// How far starting and closing have got with a layer.
///
/// An object of its own: while a decorator runs there are copies of the layers, those that the slot has and those that
/// are to take their place, and the key may be registered anew meanwhile; what is claimed in one is claimed in all.
final class LayerProgress: Sendable {
  private enum Step: UInt8, AtomicRepresentable { case idle, started, closed }

  // Acquiring and releasing: whoever closes an object comes after whoever has started it.
  private let step = Atomic(Step.idle)

  /// Claims the right to start the layer. Whoever gets it does it.
  func claimStart() -> Bool {
    step.exchange(.started, ordering: .acquiringAndReleasing) != .started
  }

  /// Gives the right back: it was not started.
  func unclaimStart() {
    _ = step.compareExchange(expected: .started, desired: .idle, ordering: .acquiringAndReleasing)
  }

  /// Claims the right to tear the layer down.
  func claimClose() -> Bool { step.exchange(.closed, ordering: .acquiringAndReleasing) != .closed }
}

/// An object that its slot no longer gives out, and that somebody may still be using.
struct RetiredService: Sendable {
  /// The object and its wrappers.
  var layers: ServiceLayers
  /// Whether the set tears the object down; wrappers it does in any case.
  let isOwned: Bool
  /// What tears it down instead of its own `close()`.
  let teardown: ServiceTeardown?

  /// Whether the set tears the object itself down.
  var isObjectOwned: Bool { isOwned && !layers.isBorrowed }

  /// Whether there is anything in it to be torn down.
  var needsTeardown: Bool {
    let own = layers.own
    return own.indices.contains { index in
      let isInnermost = index == own.startIndex && !layers.isInherited
      if isInnermost, teardown != nil { return true }
      return (isObjectOwned || !isInnermost) && own[index].box.anyValue is any ServiceClosing
    }
  }
}
