// Times of lodash, one line each: a name, a value and a unit.
const lodash = require('lodash')

// Prints the time of one operation in the fastest of some batches.
function measure(name, count, operation) {
  let best = Infinity
  for (let round = 0; round < 24; round++) {
    const start = process.hrtime.bigint()
    for (let i = 0; i < count; i++) operation(i)
    best = Math.min(best, Number(process.hrtime.bigint() - start) / count)
  }
  console.log(`${name}\t${best.toFixed(1)}\tns`)
}

const debounced = lodash.debounce(() => {}, 1e8)
debounced(0)
measure('lodash debounce call', 20000, debounced)
const throttled = lodash.throttle(() => {}, 1e8)
throttled(0)
measure('lodash throttle call', 20000, throttled)
process.exit(0)
