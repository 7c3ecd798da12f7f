internal import Foundation

/// The one file in which marks are kept.
///
/// Every change is made to what the file holds at that moment, so that two readers on one file do not undo each other's
/// marks. A file that cannot be read, or that a newer version wrote, is never written to.
///
/// ## Concurrency
/// A value; each call locks the file against other processes for as long as it takes.
struct StateFile: Sendable {
  /// Where the file lies.
  let path: String

  /// Names a file.
  ///
  /// - Parameter path: where it lies; a symbolic link is followed.
  init(path: String) {
    self.path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// Reads the marks. A file that is not there holds none.
  ///
  /// - Throws: `NewsreaderError`, when the file is there but cannot be used.
  /// - Complexity: O(size of the file).
  func read() throws(NewsreaderError) -> ArticleMarks {
    do throws(FileFailure) {
      return try marks(in: try AtomicFile(path: path).read())
    } catch {
      throw failure("read", error)
    }
  }

  /// Says why the file cannot be written, before there is anything to write; `nil` if nothing speaks against it.
  ///
  /// - Complexity: O(1).
  func obstacle() -> NewsreaderError? {
    AtomicFile(path: path).obstacle().map { failure("write", $0) }
  }

  /// Changes some marks in the file; all of them, or none.
  ///
  /// - Parameter changes: the new marks, by article.
  /// - Throws: `NewsreaderError`, when the file could not be written; it is then as it was.
  /// - Complexity: O(size of the file).
  func apply(_ changes: [ArticleID: ArticleMark]) throws(NewsreaderError) {
    do throws(FileFailure) {
      try AtomicFile(path: path).replace { old throws(FileFailure) in
        var marks = try marks(in: old)
        for (id, mark) in changes { marks[id] = mark }
        guard let data = try? marks.encoded() else { throw FileFailure.damaged }
        return data
      }
    } catch {
      throw failure("write", error)
    }
  }

  private func marks(in data: Data?) throws(FileFailure) -> ArticleMarks {
    guard let data else { return ArticleMarks() }
    do throws(ArticleMarks.DecodingFailure) {
      return try ArticleMarks(data)
    } catch {
      switch error {
      case .damaged: throw .damaged
      case .newer(let version): throw .newer(version)
      }
    }
  }

  private func failure(_ verb: String, _ failure: FileFailure) -> NewsreaderError {
    let cure =
      switch failure {
      case .damaged: "Move it away to begin anew; it is left as it is"
      case .newer: "Take a newer reader, or another file with '--state'; it is left as it is"
      case .readOnly, .notPermitted: "Change its permissions, or take another file with '--state'"
      case .notRegular, .noFolder: "Name a file in a folder that exists with '--state'"
      case .full: "Make room; what was stored is still there"
      case .system: "Take another file with '--state'; what was stored is still there"
      }
    return NewsreaderError(
      code: .state,
      message: "Can't \(verb) '\(CleanText.line(path))': \(failure.cause). \(cure).")
  }
}
