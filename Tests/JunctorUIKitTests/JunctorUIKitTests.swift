// Tests of JunctorUIKit, on Linux against the stand-in.
