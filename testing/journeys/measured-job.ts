/** Counts the clicks and seconds of a job. Typing, and what other people do meanwhile, does not count. */
import { type Page, test } from '@playwright/test'

export interface MeasuredJob {
  clicks(): number
  seconds(): number
  /** Leaves out the time until it is called again, because the user waits for another person. */
  pause(): void
  resume(): void
}

/** Call it before the first navigation of the page, and `start` where the job begins. */
export async function countClicks(page: Page): Promise<{ start(): MeasuredJob }> {
  let clicks = 0
  await page.exposeFunction('countClick', () => {
    clicks += 1
  })
  // `detail` is 0 for clicks that a key causes. A label’s click is repeated on its control without a position.
  await page.addInitScript(`
    addEventListener('click', (event) => {
      if (event.isTrusted && event.detail > 0 && (event.screenX !== 0 || event.screenY !== 0)) window.countClick()
    }, true)`)
  return {
    start() {
      clicks = 0
      let spentMs = 0
      let since: number | null = performance.now()
      return {
        clicks: () => clicks,
        seconds: () => (spentMs + (since === null ? 0 : performance.now() - since)) / 1_000,
        pause() {
          if (since !== null) spentMs += performance.now() - since
          since = null
        },
        resume() {
          since ??= performance.now()
        },
      }
    },
  }
}

/** Adds the figures to the report of the test. */
export function reportJob(name: string, job: MeasuredJob): void {
  const description = `${job.clicks()} clicks, ${job.seconds().toFixed(1)} s`
  test.info().annotations.push({ type: name, description })
  process.stdout.write(`${name}: ${description}\n`)
}
