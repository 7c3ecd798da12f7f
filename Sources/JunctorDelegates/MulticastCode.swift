/// The standard library's types under names that nothing in the user's code can stand in front of.
///
/// Generated code uses these: a module may have a type called `Bool`, `Error` or even `Swift` of its own.
///
/// ## Concurrency
/// Names only.
public enum MulticastCode {
  /// A text.
  public typealias Label = String
  /// A file, as `#fileID` gives it.
  public typealias File = StaticString
  /// A line, as `#line` gives it.
  public typealias Line = UInt
  /// A priority.
  public typealias Priority = Int
  /// Yes or no.
  public typealias Flag = Bool
  /// Any object.
  public typealias Object = AnyObject
  /// Any error; written with `any` before it.
  public typealias Failure = Error
}
