internal import CJunctorCore
internal import JunctorCore

/// The posts that are nested on one thread beyond the depth at which a circle has to be thought of.
///
/// ## Concurrency
/// Each chain belongs to one thread.
final class PostChain {
  /// How many posts may be nested beyond the first few.
  static let limit = 240

  private var links: [(name: String, site: SourceSite)] = []
  private var isBroken = false

  /// Notes a post. Returns whether it may go ahead.
  ///
  /// Where it may not, none that is nested so deeply may until the thread's outermost post has ended: listeners that
  /// each post twice would otherwise come to the limit more often than anybody can wait for.
  static func enter(_ topic: Topic, _ site: SourceSite) -> Bool {
    // SAFETY: the record belongs to this thread, and `chain` is either null or a chain retained by it.
    let record = unsafe junctor_thread_record()
    let chain: PostChain
    if let found = unsafe record.pointee.chain {
      chain = unsafe Unmanaged<PostChain>.fromOpaque(found).takeUnretainedValue()
    } else {
      chain = PostChain()
      unsafe record.pointee.chain = Unmanaged.passRetained(chain).toOpaque()
    }
    if chain.isBroken { return false }
    guard chain.links.count < limit else {
      chain.isBroken = true
      Junctor.report(diagnostic(chain.links, topic.name, site))
      unsafe BrokenChain.mark(record)
      return false
    }
    chain.links.append((topic.name, site))
    return true
  }

  /// Notes that a post that was let through has ended.
  static func leave() {
    // SAFETY: as in `enter`; the chain is there because the post was let through.
    let record = unsafe junctor_thread_record()
    guard let found = unsafe record.pointee.chain else { return }
    let isOver = unsafe Unmanaged<PostChain>.fromOpaque(found)._withUnsafeGuaranteedRef { chain in
      _ = chain.links.popLast()
      return chain.links.isEmpty && !chain.isBroken
    }
    if isOver { unsafe forget(record) }
  }

  /// Lets the thread's chain go.
  static func forget(_ record: UnsafeMutablePointer<junctor_thread>) {
    // SAFETY: the record belongs to this thread; `chain` is owned by it at +1 and not used after this.
    guard let found = unsafe record.pointee.chain else { return }
    unsafe record.pointee.chain = nil
    unsafe Unmanaged<PostChain>.fromOpaque(found).release()
  }

  /// Says that posts were nested without an end.
  ///
  /// - Parameters:
  ///   - links: the posts, outermost first.
  ///   - name: the channel of one more.
  ///   - site: where that was made.
  static func diagnostic(
    _ links: [(name: String, site: SourceSite)], _ name: String, _ site: SourceSite
  ) -> Diagnostic {
    // The circle: from the last post at the same place up to this one.
    let start = links.lastIndex { $0.site == site && $0.name == name } ?? 0
    let circle = links[start...].suffix(16)
    let names = (circle.map(\.name) + [name]).map(shown).joined(separator: "' → '")
    return Diagnostic(
      .endlessPosts,
      "Can't post '\(shown(name))': more than \(links.count) posts are nested in one another "
        + "('\(names)'). Break the circle, or make one of its channels '.queued'.",
      sites: circle.map(\.site) + [site])
  }
}

/// Stands in a thread's outermost walk from the moment that a circle was found, and forgets the chain when that ends.
///
/// ## Concurrency
/// Belongs to one thread.
@safe
private final class BrokenChain {
  private let record: UnsafeMutablePointer<junctor_thread>
  private var snapshot: UnsafeMutableRawPointer?

  private init(_ record: UnsafeMutablePointer<junctor_thread>) { unsafe self.record = record }

  static func mark(_ record: UnsafeMutablePointer<junctor_thread>) {
    // SAFETY: the record belongs to this thread, which is deep inside walks. The marker is handed over at +1; the
    // snapshot comes back at +1 and is released in `deinit`, when its walk has ended.
    let marker = unsafe BrokenChain(record)
    unsafe marker.snapshot = junctor_mark_outermost(
      record, Unmanaged.passRetained(marker).toOpaque())
  }

  deinit {
    // SAFETY: runs on the record's thread, as the outermost walk ends.
    unsafe PostChain.forget(record)
    if let snapshot = unsafe snapshot { unsafe junctor_release(snapshot) }
  }
}
