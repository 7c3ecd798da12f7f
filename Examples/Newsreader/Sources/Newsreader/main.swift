print("newsreader")
