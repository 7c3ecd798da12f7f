internal import JunctorCore

extension MulticastRegistry {
  /// Where a target is to stand.
  enum Place {
    /// Behind all others of a priority.
    case priority(Int)
    /// Directly beside another target.
    case beside(ListSide, AnyObject)
  }

  /// Adds a target under the types that `fill` notes.
  func add(
    _ object: AnyObject, at place: Place, retaining: Bool, site: SourceSite,
    fill: (MulticastFaces) -> Void
  ) -> MulticastAddition {
    let name = ObjectIdentifier(object)
    let nested = (object as? any MulticastHolder)?.multicastRegistry
    if nested === self { return refuse(.itself, object, site) }
    let faces = MulticastFaces()
    fill(faces)
    let made = MulticastEntry(
      object, faces: faces, index: index, isNested: nested != nil, retaining: retaining, site: site)
    guard let entry = made else { return refuse(.dying, object, site) }
    var stale: UInt64?
    if let known = index.place(of: name) {
      if stands(known, object) { return alreadyThere(known) }
      stale = known.entry
    }
    if let nested, !MulticastNesting.join(parent: id, entry: entry.id, child: nested.id) {
      return refuse(.cycle, object, site)
    }
    let (registration, foundAnchor) = insert(entry, at: place)
    noteAddition()
    // Nobody calls the entry before this: a target that another thread takes out is not called again, and of several
    // threads that add the same one, one gives its entry up.
    let claimed = MulticastIndex.Place(entry: entry.id, key: registration.key)
    while let known = index.claim(name, claimed, replacing: stale, settle: entry.settle) {
      if stands(known, object) {
        registration.cancel()
        return alreadyThere(known)
      }
      stale = known.entry
    }
    return MulticastAddition(
      outcome: foundAnchor ? .added : .appendedWithoutAnchor, registration: registration)
  }

  private func insert(_ entry: MulticastEntry, at place: Place) -> (Registration, Bool) {
    switch place {
    case .priority(let priority):
      return (list.add(entry, priority: priority), true)
    case .beside(let side, let anchor):
      // An anchor that another thread is adding at this moment is not there yet; 0 is nobody's number.
      let known = index.place(of: ObjectIdentifier(anchor))
      let standing = known.flatMap { stands($0, anchor) ? $0.entry : nil }
      return list.add(entry, side, of: standing ?? 0)
    }
  }

  private func alreadyThere(_ place: MulticastIndex.Place) -> MulticastAddition {
    MulticastAddition(
      outcome: .alreadyThere,
      registration: Registration(list: list, id: place.entry, key: place.key))
  }

  // MARK: - Refusing

  /// Reports that a target is not taken, and why.
  func refuse(
    _ refusal: MulticastAddition.Refusal, _ target: Any, _ site: SourceSite
  ) -> MulticastAddition {
    let type = String(describing: Swift.type(of: target))
    let message =
      switch refusal {
      case .itself:
        "Can't add '\(label)' to itself: a call would never end. Add its targets instead."
      case .cycle:
        "Can't add '\(type)' to '\(label)': it reaches '\(label)' itself, and a call would never end."
          + " Take one of the two out of the other."
      case .dying:
        "Can't add '\(type)' to '\(label)': it is being deinitialised."
          + " Add it while it lives, not in its deinit."
      case .notAnObject:
        "Can't add '\(type)' to '\(label)': it is a value, and only an object can be held weakly."
          + " Make the target a class."
      }
    Junctor.report(
      Diagnostic(Diagnostic.Code("delegates.\(refusal)"), message, sites: [site, self.site]))
    return MulticastAddition(outcome: .refused(refusal), registration: Registration())
  }
}
