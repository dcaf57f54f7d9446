/** Loaded into a server: reports the longest time that its event loop was held since it was last asked, in milliseconds. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', (message) => {
  if (message !== 'longest') return
  process.send?.({ longestMs: delay.max / 1e6 })
  delay.reset()
})
