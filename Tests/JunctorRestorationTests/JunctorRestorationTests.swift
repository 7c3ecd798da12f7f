// Tests of JunctorRestoration.
