// Ask a question, and get one answer.
import Junctor

struct Item: Hashable, Sendable { var name: String }
struct Money: Sendable { var cents: Int }

final class Shop: Sendable {
  let prices = [Item(name: "tea"): Money(cents: 320)]
}

extension RequestChannel where Request == Item, Reply == Money {
  static let price = RequestChannel("shop.price")
}

let shop = Shop()
RequestChannel.price.answer(for: shop) { me, item in me.prices[item] }

let money = try await RequestChannel.price.request(Item(name: "tea"), timeout: .seconds(2))
print(money.cents)

do {
  _ = try await RequestChannel.price.request(Item(name: "gold"))
} catch let error as RequestError {
  print(error.code)
}
withExtendedLifetime(shop) {}

// Prints: 320
// Prints: nobodyAnswered
