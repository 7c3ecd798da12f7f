import JunctorMacros
import Testing

@Suite struct MulticastTests {
  let log = Log()
  let all = PlayerDelegateMulticast()

  @Test func `D1 the multicast is the delegate and calls its targets in order`() {
    let a = Listener("a", log)
    let b = Listener("b", log)
    let c = Listener("c", log)
    all.add(a)
    all.add(b, before: a)
    all.add(c, priority: 1)
    let delegate: any PlayerDelegate = all
    delegate.playerDidStart("x")
    #expect(log.lines == ["c x", "b x", "a x"])
    #expect(all.count == 3)
    #expect(all.contains(b))
    all.remove(b)
    #expect(all.targets.map { ($0 as? Listener)?.name } == ["c", "a"])
    #expect(all.add(a, after: c).outcome == .alreadyThere)
  }

  @Test func `D9 a rule combines the answers, and nobody means the fallback`() {
    #expect(all.player("x", mayPlay: 1))
    let a = Listener("a", log)
    let b = Listener("b", log)
    a.mayPlay = false
    all.add(a)
    all.add(b)
    #expect(!all.player("x", mayPlay: 1))
    #expect(log.lines == ["a may 1", "b may 1"])
  }

  @Test func `D10 a target without an implementation does not decide`() {
    let volume = VolumeListener(0.5)
    let quiet = Listener("a", log)
    let loud = LoudListener("b", log)
    #expect(all.preferredVolume(for: 1) == 1.0)
    #expect(!all.responds(to: .preferredVolume))
    all.add(volume)
    all.add(quiet)
    all.add(loud)
    #expect(all.preferredVolume(for: 1) == 0.5)
    #expect(quiet.preferredVolume(for: 1) == 1.0)
    #expect(all.responds(to: .preferredVolume))
    all.remove(volume)
    #expect(all.preferredVolume(for: 1) == 1.0)
    #expect(!all.responds(to: .preferredVolume))
    #expect(all.responds(to: .playerDidStart))
  }

  @Test func `D10 nested multicasts answer for their targets`() {
    let inner = PlayerDelegateMulticast()
    let volume = VolumeListener(0.5)
    let other = VolumeListener(0.25)
    let quiet = Listener("a", log)
    all.add(volume)
    all.add(inner)
    inner.add(quiet)
    #expect(all.preferredVolume(for: 1) == 0.5)
    inner.add(other)
    #expect(all.preferredVolume(for: 1) == 0.25)
    inner.remove(other)
    #expect(all.preferredVolume(for: 1) == 0.5)
    all.remove(volume)
    #expect(!all.responds(to: .preferredVolume))
    #expect(all.preferredVolume(for: 1) == 1.0)
  }

  @Test func `D15 nesting generated multicasts ends, each leaf called once`() {
    let inner = PlayerDelegateMulticast()
    let a = Listener("a", log)
    let b = Listener("b", log)
    all.add(a)
    all.add(inner)
    inner.add(b)
    let log = log
    Junctor.withDiagnostics({ log($0.code.rawValue) }) {
      #expect(inner.add(all).outcome == .refused(.cycle))
    }
    log.clear()
    all.playerDidStart("x")
    inner.playerDidStart("y")
    #expect(log.lines == ["a x", "b x", "b y"])
  }
}
