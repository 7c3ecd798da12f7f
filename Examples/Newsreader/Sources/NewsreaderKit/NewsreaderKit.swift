internal import Junctor
