internal import CJunctorServices
internal import JunctorCore
internal import Synchronization

/// One key of one set: what is registered there, and how far its object has got.
///
/// ## Concurrency
/// Made at the first registration under its key and kept until the set dies, so that the look-up table may point to it.
/// Does not hold its set. No provider, decorator or `deinit` of the user's runs under its lock.
@safe
final class ServiceSlot: @unchecked Sendable {
  // SAFETY (unchecked Sendable): `cell` is constant, and so are its slot and number from `init` on; its other fields are
  // only used through atomic operations. It is freed in `deinit`, after the set, without which no reader comes here, is
  // gone.

  /// The service.
  let key: ServiceKey
  /// The slot's number.
  let id = Identifier.next()
  /// The priority among contributions.
  let priority: Int
  /// Whether what the alternate has under the key is wrapped here. Not so for members of collections, nor for what exists
  /// once per scope or argument: of that the slot that registered it knows.
  let wrapsInherited: Bool
  /// What look-ups read without the lock.
  let cell: UnsafeMutablePointer<junctor_cell>
  /// What is registered, and how far its object has got.
  let state = Mutex(ServiceMachine())

  /// Makes an empty slot.
  init(_ key: ServiceKey, priority: Int = 0, wrapsInherited: Bool = false) {
    self.key = key
    self.priority = priority
    self.wrapsInherited = wrapsInherited
    // SAFETY: the cell holds the slot's address only; whoever reads it holds the set, which holds the slot.
    unsafe cell = junctor_cell_make(UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped, id)
    let address = unsafe UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    unsafe cell.pointee.slot = unsafe address
  }

  deinit {
    // SAFETY: the set is gone, and with it every way to the cell.
    unsafe junctor_cell_free(cell)
  }

  /// The service and where it was registered.
  var step: ServiceStep {
    let site = state.withLock { $0.definition?.site ?? $0.decorators.first?.site }
    return ServiceStep(key: key, site: site ?? SourceSite(fileID: "", line: 0))
  }

  // MARK: Changes

  /// Changes the machine and shows the result to look-ups.
  ///
  /// - Parameter change: runs under the lock; returns what is to be done.
  /// - Returns: what `change` returned, when no reader sees the old state any longer.
  func update(
    _ change: (inout ServiceMachine) -> ServiceMachine.ChangeAction
  ) -> ServiceMachine.ChangeAction {
    let action = state.withLock { machine in
      let action = change(&machine)
      show(machine)
      return action
    }
    if action.mustAwaitReaders {
      // SAFETY: this thread is not inside: nothing of the user's runs there.
      ServiceReaders.wait()
    }
    return action
  }

  /// Shows look-ups what the machine holds. Call it with the lock held, so that the last change wins.
  func show(_ machine: borrowing ServiceMachine) {
    // SAFETY: the machine holds box and maker until a change takes them out, which awaits the readers before it lets
    // them die.
    unsafe junctor_cell_publish(
      cell,
      machine.published.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) },
      machine.shownMaker.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    unsafe junctor_cell_present(cell, machine.isPresent)
  }
}
