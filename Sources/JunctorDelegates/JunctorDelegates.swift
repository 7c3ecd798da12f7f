// JunctorDelegates: one object stands where a delegate is wanted and forwards to many.
internal import JunctorCore
