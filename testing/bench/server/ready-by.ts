/**
 * Plans the starts of 100,000 organisations whose rows must be ready by a time of the morning, and executes the plan in simulated time.
 * Run: node testing/bench/server/ready-by.ts [--rows=100000]
 */
import { simulateMorning } from '../../server/ready-by/simulated-morning.ts'
import { readRowsOption } from '../measure.ts'

const organisations = readRowsOption(100_000)
const scenarios = [
  { title: 'enough workers: 80 % are used in the busiest half hour', load: 0.8 },
  { title: 'two fifths of that', load: 2 },
]

console.log(`\n## ${organisations.toLocaleString('en')} organisations with *Ready by*\n`)
console.log(
  '| Workers | Promises | Runs at once | Plan s | Possible | On time | % of possible | Named before | Late without a word | Most of a minute, % | Most of a day, % |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|---|')
for (const { title, load } of scenarios) {
  const { runs, executed, planSeconds, concurrentRuns, possible, onTime, named, surprises } = simulateMorning({
    organisations,
    load,
  })
  const percent = (part: number, digits: number) => (100 * part).toFixed(digits)
  const figures = [
    runs.length,
    concurrentRuns,
    planSeconds.toFixed(1),
    possible,
    onTime,
    percent(onTime / possible, 2),
    named,
    surprises,
    percent(executed.mostOfMinute, 0),
    percent(executed.mostOfDay, 0),
  ]
  console.log(`| ${title} | ${figures.join(' | ')} |`)
}
