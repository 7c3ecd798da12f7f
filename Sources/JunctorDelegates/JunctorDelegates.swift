// JunctorDelegates: one object stands where a delegate is wanted and forwards to many.

@_exported public import JunctorCore
