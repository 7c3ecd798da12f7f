/// A number and what is counted, in the plural unless it is one: `1 node`, `2 nodes`.
///
/// - Parameters:
///   - count: how many.
///   - noun: one of them; its plural ends in `s`.
/// - Returns: both.
/// - Complexity: O(1).
package func counted(_ count: some BinaryInteger, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}
