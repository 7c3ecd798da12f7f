import JunctorChannels
import Testing

/// What listeners throw when the poster has gone on.
@Suite struct UnseenErrorTests {
  struct Failure: Error { var number = 0 }

  @Test func `C24 C13 what is thrown at a message that waited is reported, as no poster sees it`() {
    for errors in [ErrorPolicy.report, .rethrowAfterAll, .stopAtFirst] {
      let options = ChannelOptions(order: .queued, errors: errors)
      let channel = Channel<Int>("queued", in: Exchange(), options: options)
      let local = LocalChannel<Int>("queued", options: options)
      let line = #line + 1
      let token = channel.listen { number in
        if number == 1 { channel.post(2) } else { throw Failure(number: number) }
      }
      let other = local.listen { number in
        if number == 1 { local.post(2) } else { throw Failure(number: number) }
      }
      let found = diagnostics {
        #expect(channel.post(1).errors.isEmpty)
        #expect(local.post(1).errors.isEmpty)
      }
      #expect(found.map(\.code) == [.listenerThrew, .listenerThrew], "\(errors)")
      // The listener comes first, so that it is found at once.
      #expect(found.map { $0.sites.first?.line } == [line, line + 3].map(UInt32.init), "\(errors)")
      let seen = diagnostics {
        #expect(channel.post(3).errors.count == 1 && local.post(3).errors.count == 1)
      }
      #expect(seen.count == (errors == .report ? 2 : 0), "\(errors)")
      withExtendedLifetime((token, other)) {}
    }
  }

  @Test func `C24 C28 what is thrown by who catches up is reported, as no poster sees it`() {
    for errors in [ErrorPolicy.report, .rethrowAfterAll, .stopAtFirst] {
      let options = ChannelOptions(errors: errors, replay: .last(2))
      let channel = Channel<Int>("kept", in: Exchange(), options: options)
      let local = LocalChannel<Int>("kept", options: options)
      for number in 1...2 {
        channel.post(number)
        local.post(number)
      }
      let log = Log()
      let found = diagnostics {
        let token = channel.listen { number in
          log.add("a\(number)")
          throw Failure(number: number)
        }
        let other = local.listen { number in
          log.add("b\(number)")
          throw Failure(number: number)
        }
        withExtendedLifetime((token, other)) {}
      }
      #expect(found.map(\.code) == Array(repeating: .listenerThrew, count: 4), "\(errors)")
      #expect(log.events == ["a1", "a2", "b1", "b2"])
    }
  }
}
