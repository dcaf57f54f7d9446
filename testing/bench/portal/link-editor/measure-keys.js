/**
 * Runs in the page. A key is complete with the frame in which another row is first or focused. `keyTimes` holds the
 * latencies in milliseconds.
 */
window.keyTimes = []

document.addEventListener(
  'keydown',
  () => {
    const since = performance.now()
    const before = shown()
    const look = () => {
      if (shown() === before) requestAnimationFrame(look)
      else afterFrame(() => window.keyTimes.push(performance.now() - since))
    }
    requestAnimationFrame(look)
  },
  true,
)

function shown() {
  const pane = document.querySelectorAll('fieldset')[1]
  const first = pane?.querySelector('label[data-index="0"]')?.textContent ?? ''
  const focused = document.activeElement?.closest('label[data-index]')?.textContent ?? ''
  return `${first} ${focused}`
}

/** Runs `work` after the next frame: a message is delivered after the callbacks and the drawing of a frame. */
function afterFrame(work) {
  const drawn = new MessageChannel()
  drawn.port1.addEventListener('message', work)
  drawn.port1.start()
  requestAnimationFrame(() => drawn.port2.postMessage(null))
}
