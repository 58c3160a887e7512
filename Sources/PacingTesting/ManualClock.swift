import Pacing
