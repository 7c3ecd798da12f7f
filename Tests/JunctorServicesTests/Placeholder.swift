import JunctorServices
import Testing
