#if Inspector
  internal import CJunctorInspector
  internal import JunctorCore
  internal import JunctorWiring

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// The JSON that the page reads beside the wiring itself.
  enum InspectorRecord {
    private struct Finding: Encodable {
      var node: Int
      var edge: Int?
      var kind: String
      var message: String
    }

    private struct State: Encodable {
      var findings: [Finding]
      var streams: UInt32
      var refused: UInt64
      var missed: UInt64
      var events: UInt64
    }

    private struct Event: Encodable {
      var number: UInt64
      var kind: String
      var label: String
      var site: String?
      var milliseconds: Double
      var microseconds: Double?
      var count: Int
    }

    private struct Events: Encodable {
      var events: [Event]
      var missed: UInt64
    }

    /// What is wrong in a wiring, and how the server does.
    static func state(_ wiring: Wiring, _ demand: junctor_demand, events: UInt64) -> String {
      encoded(
        State(
          findings: wiring.findings.map {
            Finding(
              node: $0.node.rawValue, edge: $0.edge, kind: $0.kind.description,
              message: shortened($0.message))
          },
          streams: demand.streams, refused: demand.refused, missed: demand.missed,
          events: events))
    }

    /// A batch of events, on one line.
    static func events(_ events: [Wiring.Event], missed: UInt64) -> String {
      encoded(
        Events(
          events: events.map { event in
            Event(
              number: event.number, kind: event.kind.description, label: shortened(event.label),
              site: event.site?.description, milliseconds: event.time / .milliseconds(1),
              microseconds: event.duration.map { $0 / .microseconds(1) }, count: event.count)
          }, missed: missed))
    }

    /// A page shows no more of a label; a message stays of bounded size.
    private static func shortened(_ text: String) -> String {
      String(text.unicodeScalars.prefix(300))
    }

    private static func encoded(_ value: some Encodable) -> String {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      do {
        return String(decoding: try encoder.encode(value), as: UTF8.self)
      } catch {
        preconditionFailure("Can't encode a record: \(error). Report this as a fault of Junctor.")
      }
    }
  }
#endif
