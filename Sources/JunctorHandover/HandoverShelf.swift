internal import JunctorCore
internal import Synchronization

/// Where models wait for a container's children that do not exist yet.
///
/// A container may hold one and show it as its `handoverShelf`; otherwise a table keeps one for it.
///
/// ## Concurrency
/// Used where its container is; locked, so that a container of several threads may have one, too. It retains what waits,
/// never the container. When it goes, what never arrived is reported, and requests among it end as cancelled.
public final class HandoverShelf: AnyHandoverSlot {
  /// One model that waits.
  struct Item {
    /// The model's type.
    let given: String
    /// Where it was handed over.
    let site: SourceSite
    /// The request that came with it.
    let request: AnyRequest?
    /// Whether it has been said that more than one receiver takes it.
    var isReported = false
    /// Hands it over, if there is exactly one receiver; returns the error otherwise.
    let attempt: (ReceiverSearch, AnyObject) -> HandoverError?
  }

  private var items: [Item] = []
  private var arrivals = 0
  private var isDelivering = false

  /// Makes an empty shelf for one container.
  ///
  /// - Complexity: O(1).
  public init() { super.init(isShared: true) }

  deinit {
    let container = record.withLock { $0.receiverName }
    for item in items {
      if let request = item.request {
        request.cancel(because: "its container is gone", inline: false)
      }
      Junctor.report(
        Diagnostic(
          .handoverNeverArrived,
          "Can't hand over '\(item.given)' to '\(container)': no receiver for it arrived there."
            + " Add the receiver while the container lives, and call 'receiversArrived()'.",
          sites: [item.site]))
    }
  }

  /// How many models wait.
  var count: Int { locked { items.count } }

  /// Adds what waits.
  func add(_ item: Item, for container: AnyObject, from sender: AnyObject?) {
    note(container, sender: sender, site: item.site)
    locked { items.append(item) }
    updatePending()
  }

  private func updatePending() {
    let sites = locked { items.map(\.site) }
    record.withLock { $0.pending = sites }
  }
}

extension HandoverShelf {
  /// The shelf of a container, if anything was ever left with it.
  static func existing(in container: AnyObject) -> HandoverShelf? {
    (container as? any ReceiverContainer)?.handoverShelf
      ?? HandoverTable.existingShelf(for: container)
  }

  /// The shelf of a container.
  static func shelf(of container: AnyObject) -> HandoverShelf {
    (container as? any ReceiverContainer)?.handoverShelf ?? HandoverTable.shelf(for: container)
  }

  /// Tries what waits with a container and with those around it, the innermost first.
  static func deliverWaiting(from container: AnyObject) {
    var seen: Set<ObjectIdentifier> = []
    var next: AnyObject? = container
    while let container = next, seen.insert(ObjectIdentifier(container)).inserted {
      existing(in: container)?.deliver(in: container)
      next = (container as? any ReceiverContainer)?.receiverParent
    }
  }

  private func deliver(in container: AnyObject) {
    let isMine = locked { () -> Bool in
      arrivals += 1
      defer { isDelivering = isDelivering || !items.isEmpty }
      return !isDelivering && !items.isEmpty
    }
    guard isMine else { return }
    // Who arrives meanwhile, on another thread or because of what is delivered here, is looked for in another round.
    var isDone = false
    while !isDone {
      let (batch, arrival) = locked { () -> ([Item], Int) in
        defer { items = [] }
        return (items, arrivals)
      }
      let rest = batch.compactMap { attempt($0, in: container) }
      isDone = locked {
        let isChanged = arrivals != arrival
        items = rest + items
        if !isChanged || items.isEmpty { isDelivering = false }
        return !isDelivering
      }
    }
    updatePending()
  }

  /// Tries one item; returns it if it has to wait on.
  private func attempt(_ item: Item, in container: AnyObject) -> Item? {
    guard let error = item.attempt(ReceiverSearch(in: container), container) else { return nil }
    guard error.code == .ambiguous, !item.isReported else { return item }
    Junctor.report(Diagnostic(.handoverAmbiguous, error.message, sites: [item.site]))
    var item = item
    item.isReported = true
    return item
  }
}
