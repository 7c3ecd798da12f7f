/// Finds the place of an object's entry by the object's address.
///
/// Open addressing with linear probing. The standard dictionary hashes against attackers, who have no say in addresses; this
/// costs a fifth of it.
///
/// ## Concurrency
/// A value, kept under its owner's lock.
struct AddressMap {
  // An address of zero marks a free cell.
  private var cells: ContiguousArray<(address: UInt, place: Int)> = [(0, 0)]
  private var shift = UInt.bitWidth

  /// How many addresses there are.
  private(set) var count = 0

  /// Makes an empty map.
  init() {}

  /// The place of an address's entry.
  ///
  /// - Complexity: O(1).
  subscript(address: UInt) -> Int? {
    let mask = cells.count - 1
    var index = home(of: address)
    while true {
      let cell = cells[index]
      if cell.address == address { return cell.place }
      if cell.address == 0 { return nil }
      index = (index + 1) & mask
    }
  }

  /// Puts an address in, or changes its place.
  ///
  /// - Complexity: O(1), amortised.
  mutating func set(_ place: Int, for address: UInt) {
    if (count + 1) * 2 > cells.count { resize(to: max(16, cells.count * 2)) }
    let index = find(address)
    if cells[index].address == 0 { count += 1 }
    cells[index] = (address, place)
  }

  /// Takes an address out.
  ///
  /// - Complexity: O(1).
  mutating func remove(_ address: UInt) {
    let mask = cells.count - 1
    var hole = find(address)
    guard cells[hole].address != 0 else { return }
    count -= 1
    // What was put behind it because its own cell was taken moves up, so that a search never ends too early.
    var index = (hole + 1) & mask
    while cells[index].address != 0 {
      let distance = (index - home(of: cells[index].address)) & mask
      if distance >= (index - hole) & mask {
        cells[hole] = cells[index]
        hole = index
      }
      index = (index + 1) & mask
    }
    cells[hole] = (0, 0)
    if cells.count > 64, count * 8 < cells.count { resize(to: cells.count / 2) }
  }

  private func home(of address: UInt) -> Int {
    // Fibonacci hashing: the upper bits of a product with 2^64/φ. (A shift by the whole width gives zero.)
    Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  private func find(_ address: UInt) -> Int {
    let mask = cells.count - 1
    var index = home(of: address)
    while cells[index].address != 0, cells[index].address != address { index = (index + 1) & mask }
    return index
  }

  private mutating func resize(to size: Int) {
    let old = cells
    cells = ContiguousArray(repeating: (0, 0), count: size)
    shift = UInt.bitWidth - size.trailingZeroBitCount
    for cell in old where cell.address != 0 { cells[find(cell.address)] = cell }
  }
}
