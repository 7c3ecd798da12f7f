// JunctorMacros: what the compiler writes for you.

@_exported public import JunctorDelegates
@_exported public import JunctorHandover
