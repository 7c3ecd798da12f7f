// JunctorHandover: one typed model to one receiver, exactly once, and a result back.
