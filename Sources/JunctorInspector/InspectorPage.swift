#if Inspector
  /// The one page, in one piece: nothing in it comes from elsewhere.
  enum InspectorPage {
    /// The page's text.
    ///
    /// - Parameter nonce: names the page's own script and style, and nothing else is run or applied.
    static func html(nonce: String) -> String {
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>Wiring</title>
      <style nonce="\(nonce)">\(style)</style>
      </head>
      <body>
      <header>
        <h1>Wiring</h1>
        <span id="summary" role="status">Loading…</span>
        <span id="connection" role="status"></span>
      </header>
      <nav aria-label="Filter">
        <input id="search" type="search" placeholder="Search ( / )" aria-label="Search by label, type, kind or site"
          autocomplete="off" spellcheck="false">
        <span id="filters"></span>
        <label><input id="problems" type="checkbox"> problems only</label>
      </nav>
      <main>
        <section id="listing" aria-label="Nodes">
          <ul id="nodes" role="listbox" tabindex="0" aria-label="Nodes"></ul>
          <p id="more"></p>
        </section>
        <section id="picture" aria-label="Picture">
          <div id="drawing"></div>
          <dl id="details"></dl>
        </section>
        <section id="happenings" aria-label="History">
          <h2>History <span id="rate"></span></h2>
          <ol id="history" reversed></ol>
        </section>
      </main>
      <footer>
        <span class="deadend">■ dead end</span> <span class="alarm">■ collision or failure</span>
        <span>/ search · ↑ ↓ choose · Esc clear</span>
      </footer>
      <script nonce="\(nonce)">\(script)</script>
      </body>
      </html>

      """
    }

    /// The value of `Content-Security-Policy`.
    static func policy(nonce: String) -> String {
      "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }
  }
#endif
