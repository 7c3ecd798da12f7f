// JunctorCore: what the four mechanisms share. Lifetimes, ordered lists, delivery, diagnostics, wiring records.
