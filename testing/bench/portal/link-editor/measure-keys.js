/**
 * In the page: a key is done with the frame that shows another row first, or the focus in another row. `keyTimes` holds how long
 * each took, in milliseconds.
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

/** A frame is drawn after its callbacks; a message comes after both. */
function afterFrame(work) {
  const drawn = new MessageChannel()
  drawn.port1.addEventListener('message', work)
  drawn.port1.start()
  requestAnimationFrame(() => drawn.port2.postMessage(null))
}
