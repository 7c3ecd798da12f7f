#if canImport(UIKit)
  public import JunctorHandover
  public import UIKit

  extension UIViewController {
    /// Presents a view controller with a model, and returns what came back, or that it was left.
    ///
    /// Swiping it away, dismissing it without a result, and cancelling the task end it as cancelled. Giving a result back
    /// does not dismiss it; dismiss it when the result is there, or let it do so itself.
    ///
    /// - Parameters:
    ///   - provider: what is presented.
    ///   - model: what it is handed.
    ///   - animated: whether the presentation is animated.
    ///   - fileID: filled in by the compiler.
    ///   - line: filled in by the compiler.
    /// - Returns: what it gave back, or that it was cancelled.
    /// - Complexity: O(1).
    public func present<Provider: UIViewController & ResultProvider>(
      _ provider: Provider, handing model: Provider.Model?, animated: Bool = true,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async -> HandoverOutcome<Provider.Result> {
      let request = provider.request(model, fileID: fileID, line: line)
      present(provider, animated: animated, completion: nil)
      return await request.outcome
    }

    /// Presents a view controller with a model, and has this one told how it ended.
    ///
    /// - Parameters:
    ///   - provider: what is presented.
    ///   - model: what it is handed.
    ///   - owner: who is told; not retained.
    ///   - animated: whether the presentation is animated.
    ///   - fileID: filled in by the compiler.
    ///   - line: filled in by the compiler.
    ///   - handler: told what it gave back, or that it was cancelled, once.
    /// - Returns: the request; it need not be kept.
    /// - Complexity: O(1).
    @discardableResult
    public func present<Provider: UIViewController & ResultProvider, Owner: AnyObject>(
      _ provider: Provider, handing model: Provider.Model?, for owner: Owner, animated: Bool = true,
      fileID: StaticString = #fileID, line: UInt = #line,
      _ handler: @escaping (Owner, HandoverOutcome<Provider.Result>) -> Void
    ) -> HandoverRequest<Provider.Result> {
      let request = ask(provider, model, for: owner, fileID: fileID, line: line, handler)
      present(provider, animated: animated, completion: nil)
      return request
    }
  }

  extension UINavigationController {
    /// Pushes a view controller with a model, and returns what came back, or that it was left.
    ///
    /// - Parameters:
    ///   - provider: what is pushed.
    ///   - model: what it is handed.
    ///   - animated: whether the change is animated.
    ///   - fileID: filled in by the compiler.
    ///   - line: filled in by the compiler.
    /// - Returns: what it gave back, or that it was cancelled.
    /// - Complexity: O(1).
    public func push<Provider: UIViewController & ResultProvider>(
      _ provider: Provider, handing model: Provider.Model?, animated: Bool = true,
      fileID: StaticString = #fileID, line: UInt = #line
    ) async -> HandoverOutcome<Provider.Result> {
      let request = provider.request(model, fileID: fileID, line: line)
      pushViewController(provider, animated: animated)
      return await request.outcome
    }
  }
  // Where the compiler knows no more than that it is a result provider, it does not take it for one that several threads
  // use, as it does a view controller of unknown class, because those are `Sendable`.
  @MainActor
  private func ask<Provider: ResultProvider, Owner: AnyObject>(
    _ provider: Provider, _ model: Provider.Model?, for owner: Owner, fileID: StaticString,
    line: UInt, _ handler: @escaping (Owner, HandoverOutcome<Provider.Result>) -> Void
  ) -> HandoverRequest<Provider.Result> {
    provider.request(model, for: owner, fileID: fileID, line: line, handler)
  }
#endif
