import JunctorCore
import Testing

@testable import JunctorHandover

@Suite struct `H4 types` {
  private func code(_ body: () throws -> Void) -> HandoverError.Code? {
    do {
      try body()
      return nil
    } catch { return (error as? HandoverError)?.code }
  }

  @Test func `H4 a model of the wrong type is an error that names all three and changes nothing`()
    throws
  {
    let receiver = Stored<Int>()
    receiver.handOver(1)
    do {
      try Handover.deliver("x", to: receiver)
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.code == .mismatch)
      #expect(error.given == "String")
      #expect(error.receivers == ["Stored<Int> (takes Int)"])
      #expect(
        error.message
          == "Can't hand over 'String' to 'Stored<Int>': its receivers take something else, namely"
          + " 'Stored<Int> (takes Int)'. Hand over what one of them takes.")
    }
    #expect(receiver.model == 1)
    #expect(receiver.prepared == [1])
  }

  @Test func `H4 what is no receiver is an error`() {
    #expect(code { try Handover.deliver(1, to: Log()) } == .noReceiver)
    #expect(code { try Handover.deliver(1, to: Box()) } == .noReceiver)
  }

  @Test func `H4 one can ask beforehand`() {
    let receiver = Stored<Int>()
    #expect(receiver.canHandOver(1))
    #expect(!receiver.canHandOver("x"))
    #expect(Handover.canDeliver(1, to: receiver))
    #expect(!Handover.canDeliver("x", to: receiver))
    #expect(!Handover.canDeliver(1, to: Log()))
    #expect(receiver.prepared.isEmpty)
  }

  @Test func `H4 the exact type comes before what accepts it`() throws {
    let exact = Stored<Dog>()
    let wider = Stored<Animal>()
    let any = Stored<any Named>()
    let dog = Dog()
    #expect(try Handover.deliver(dog, to: Box(wider, any, exact)) === exact)
    #expect(try Handover.deliver(dog, to: Box(wider)) === wider)
    #expect(try Handover.deliver(dog, to: Box(any)) === any)
    #expect(wider.model === dog)
    #expect(any.model?.name == "dog")
    #expect(code { try Handover.deliver(dog, to: Box(wider, any)) } == .ambiguous)
    #expect(code { try Handover.deliver(Animal(), to: Box(exact)) } == .mismatch)
  }

  @Test func `H4 the value counts where its static type says less`() throws {
    let dogs = Stored<Dog>()
    try Handover.deliver(Dog() as Animal, to: dogs)
    try Handover.deliver(Dog() as Any, to: dogs)
    try Handover.deliver(Dog() as any Named, to: dogs)
    try Handover.deliver(Dog() as AnyObject, to: dogs)
    #expect(dogs.prepared.count == 4)
    #expect(code { try Handover.deliver(Cat() as Animal, to: dogs) } == .mismatch)
  }

  @Test func `H4 nil is taken where its type is and nowhere else`() throws {
    let number = Stored<Int>()
    try Handover.deliver(Int?.none, to: number)
    try Handover.deliver(Int?.some(4), to: number)
    try Handover.deliver(Int??.some(nil), to: number)
    #expect(number.prepared == [nil, 4, nil])
    #expect(code { try Handover.deliver(String?.none, to: number) } == .mismatch)
    #expect(code { try Handover.deliver(String?.none as Any, to: number) } == .mismatch)

    let optional = Stored<Int?>()
    try Handover.deliver(Int?.none, to: optional)
    try Handover.deliver(Int?.some(4), to: optional)
    try Handover.deliver(5, to: optional)
    #expect(optional.prepared == [.some(nil), .some(4), .some(5)])
    #expect(code { try Handover.deliver(String?.none, to: optional) } == .mismatch)

    let animal = Stored<Animal>()
    try Handover.deliver(Dog?.none, to: animal)
    #expect(animal.prepared.count == 1)
    #expect(code { try Handover.deliver(Animal?.none, to: Stored<Dog>()) } == .mismatch)
    try Handover.deliver(Dog?.none, to: Stored<Any>())
  }

  @Test func `H4 a value is no object though the runtime would box it`() throws {
    let objects = Stored<AnyObject>()
    #expect(code { try Handover.deliver(5, to: objects) } == .mismatch)
    try Handover.deliver(Dog(), to: objects)
    #expect(objects.prepared.count == 1)
  }

  @Test func `H4 functions and tuples are found by their exact type`() throws {
    let function = Stored<(Int) -> Int>()
    try Handover.deliver({ $0 + 1 } as (Int) -> Int, to: function)
    #expect(function.model?(1) == 2)
    #expect(code { try Handover.deliver({ $0 } as (String) -> String, to: function) } == .mismatch)
    let tuple = Stored<(Int, String)>()
    try Handover.deliver((1, "x"), to: tuple)
    #expect(tuple.model?.1 == "x")
  }

  @Test func `H4 a receiver of another actor is not touched and the error says so`() async {
    let screen = await MainActor.run { ProfileScreen() }
    let task = Task.detached { () -> HandoverError.Code? in
      do throws(HandoverError) {
        try Handover.deliver("Ada", to: screen)
        return nil
      } catch { return error.code }
    }
    #expect(await task.value == .otherIsolation)
    #expect(await screen.shown.isEmpty)
  }

  @Test func `H4 the error names the place`() {
    do {
      try Handover.deliver(1, to: Log())
    } catch {
      #expect(error.site.fileID == "JunctorHandoverTests/H4Tests.swift")
    }
  }
}
