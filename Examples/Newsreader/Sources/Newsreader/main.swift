import Foundation
import NewsreaderKit

exit(await NewsreaderProgram.run(Array(CommandLine.arguments.dropFirst())))
