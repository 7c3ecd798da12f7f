import JunctorCore
import Testing
