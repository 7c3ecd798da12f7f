import JunctorWiring
import Testing
