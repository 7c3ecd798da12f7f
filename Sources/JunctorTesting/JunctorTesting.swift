// JunctorTesting: recorders, manual executors and clocks, and traits for tests of code that uses Junctor.
internal import Junctor
