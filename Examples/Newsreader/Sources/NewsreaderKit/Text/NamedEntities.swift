/// The characters that HTML's named references stand for, as far as feeds use them.
///
/// ## Concurrency
/// Pure functions; may be called anywhere.
enum NamedEntities {
  /// The character behind a name, as in `&name;`; `nil` for a name that is not known.
  ///
  /// - Parameter name: the name, without ampersand and semicolon.
  /// - Complexity: O(1).
  static func scalar(_ name: String) -> Unicode.Scalar? { table[name] }

  /// The longest name.
  static let longestName = 8

  /// Latin-1's names in the order of their characters, from U+00A0.
  private static let latin1 = """
    nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
    micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig \
    Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash \
    Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute \
    ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc \
    uuml yacute thorn yuml
    """

  private static let others: [(String, Unicode.Scalar)] = [
    ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("ndash", "–"),
    ("mdash", "—"), ("lsquo", "‘"), ("rsquo", "’"), ("sbquo", "‚"), ("ldquo", "“"),
    ("rdquo", "”"), ("bdquo", "„"), ("hellip", "…"), ("bull", "•"), ("trade", "™"),
    ("euro", "€"), ("dagger", "†"), ("Dagger", "‡"), ("permil", "‰"), ("lsaquo", "‹"),
    ("rsaquo", "›"), ("OElig", "Œ"), ("oelig", "œ"), ("Scaron", "Š"), ("scaron", "š"),
    ("Yuml", "Ÿ"), ("circ", "ˆ"), ("tilde", "˜"), ("fnof", "ƒ"), ("prime", "′"), ("Prime", "″"),
    ("larr", "←"), ("uarr", "↑"), ("rarr", "→"), ("darr", "↓"), ("harr", "↔"), ("rArr", "⇒"),
    ("minus", "−"), ("infin", "∞"), ("ne", "≠"), ("le", "≤"), ("ge", "≥"), ("asymp", "≈"),
    ("radic", "√"), ("sum", "∑"), ("prod", "∏"), ("part", "∂"), ("int", "∫"), ("alpha", "α"),
    ("beta", "β"), ("gamma", "γ"), ("delta", "δ"), ("Delta", "Δ"), ("epsilon", "ε"),
    ("lambda", "λ"), ("mu", "μ"), ("pi", "π"), ("sigma", "σ"), ("Sigma", "Σ"), ("tau", "τ"),
    ("phi", "φ"), ("omega", "ω"), ("Omega", "Ω"), ("theta", "θ"), ("hearts", "♥"),
    ("spades", "♠"), ("clubs", "♣"), ("diams", "♦"), ("ensp", "\u{2002}"), ("emsp", "\u{2003}"),
    ("thinsp", "\u{2009}"), ("zwnj", "\u{200C}"), ("zwj", "\u{200D}"),
  ]

  private static let table: [String: Unicode.Scalar] = {
    var table = Dictionary(uniqueKeysWithValues: others)
    for (offset, name) in latin1.split(separator: " ").enumerated() {
      table[String(name)] = Unicode.Scalar(UInt8(0xA0 + offset))
    }
    return table
  }()
}
