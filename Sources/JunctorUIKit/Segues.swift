#if canImport(UIKit)
  public import JunctorHandover
  public import UIKit

  extension UIStoryboardSegue {
    /// Hands a model to the one receiver in the destination that takes it, however deep inside.
    ///
    /// Call it in `prepare(for:sender:)`. The destination's view is not loaded by it; the receiver is prepared when it is.
    ///
    /// - Parameters:
    ///   - model: what is handed over.
    ///   - fileID: filled in by the compiler.
    ///   - line: filled in by the compiler.
    /// - Returns: the receiver.
    /// - Throws: `HandoverError` where no receiver takes it or more than one does. Then nothing was changed.
    /// - Complexity: O(view controllers in the destination).
    @MainActor
    @discardableResult
    public func deliver<Model>(
      _ model: Model, fileID: StaticString = #fileID, line: UInt = #line
    ) throws(HandoverError) -> any DataReceiver {
      try Handover.deliver(model, to: destination, from: source, fileID: fileID, line: line)
    }
  }

  extension UIStoryboard {
    /// Makes the view controller of a scene and hands a model to the one receiver in it that takes it.
    ///
    /// - Parameters:
    ///   - identifier: the scene's name.
    ///   - model: what is handed over.
    ///   - fileID: filled in by the compiler.
    ///   - line: filled in by the compiler.
    /// - Returns: the view controller, whose view is not loaded.
    /// - Throws: `HandoverError` where no receiver takes it or more than one does.
    /// - Complexity: O(view controllers in the scene).
    @MainActor
    public func instantiateViewController<Model>(
      withIdentifier identifier: String, delivering model: Model, fileID: StaticString = #fileID,
      line: UInt = #line
    ) throws(HandoverError) -> UIViewController {
      let controller = instantiateViewController(withIdentifier: identifier)
      try Handover.deliver(model, to: controller, fileID: fileID, line: line)
      return controller
    }
  }
#endif
