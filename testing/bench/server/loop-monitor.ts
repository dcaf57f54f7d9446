/** Loaded into a server. Reports the longest event loop delay since the last request, in milliseconds. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
process.on('message', (message) => {
  if (message !== 'longest') return
  process.send?.({ longestMs: delay.max / 1e6 })
  delay.reset()
})
