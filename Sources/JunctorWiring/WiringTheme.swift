/// The colours of a picture: dark on light, or light on dark.
///
/// ## Concurrency
/// A value; may be used anywhere.
public struct WiringTheme: Sendable, Hashable, CustomStringConvertible {
  private enum Kind: String {
    case light, dark
  }

  private let kind: Kind

  /// Dark on light, for paper and light pages.
  public static let light = WiringTheme(kind: .light)
  /// Light on dark.
  public static let dark = WiringTheme(kind: .dark)

  private init(kind: Kind) { self.kind = kind }

  /// Finds a theme by its name.
  ///
  /// - Parameter name: `light` or `dark`.
  /// - Complexity: O(1).
  public init?(named name: String) {
    guard let kind = Kind(rawValue: name) else { return nil }
    self.kind = kind
  }

  /// The theme's name.
  public var description: String { kind.rawValue }

  /// The colours themselves.
  var palette: Palette { kind == .light ? .light : .dark }
}

/// Colours by meaning, as `#rrggbb`. Text on its background has a contrast of at least 4.5 to 1 in both themes.
struct Palette: Sendable {
  /// Behind everything.
  var page: String
  /// Behind a mechanism's part.
  var cluster: String
  /// Behind a node.
  var node: String
  /// Text.
  var ink: String
  /// Text of less weight.
  var faint: String
  /// Dead ends.
  var warning: String
  /// Behind a node with a dead end.
  var warningFill: String
  /// Collisions and failures.
  var alarm: String
  /// Behind a node that collides or failed.
  var alarmFill: String
  /// One hue for each mechanism.
  var hues: [Mechanism: String]

  /// A mechanism's hue.
  func hue(_ mechanism: Mechanism) -> String { hues[mechanism] ?? faint }

  /// Dark on light.
  static let light = Palette(
    page: "#ffffff", cluster: "#f5f7fa", node: "#ffffff", ink: "#16202c", faint: "#566270",
    warning: "#a84f00", warningFill: "#fff3dc", alarm: "#c01528", alarmFill: "#ffe7e7",
    hues: [
      .channels: "#1556c0", .delegates: "#7a2fb5", .handover: "#006d72", .services: "#2d6a1f",
      .objects: "#566270",
    ])

  /// Light on dark.
  static let dark = Palette(
    page: "#11161d", cluster: "#1a212b", node: "#232c38", ink: "#eef2f6", faint: "#a9b4c0",
    warning: "#ffb454", warningFill: "#3a2c12", alarm: "#ff7b85", alarmFill: "#43191f",
    hues: [
      .channels: "#79b0ff", .delegates: "#cfa0ff", .handover: "#5fd4d6", .services: "#93d67e",
      .objects: "#a9b4c0",
    ])
}
