// Junctor: the four mechanisms in one import.

@_exported public import JunctorChannels
@_exported public import JunctorCore
@_exported public import JunctorDelegates
@_exported public import JunctorHandover
@_exported public import JunctorServices
