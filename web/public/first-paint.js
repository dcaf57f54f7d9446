// Runs before the first paint, so that neither the theme nor the skeleton changes under the reader's eyes.
;(function () {
  var root = document.documentElement
  var theme = null
  var token = null
  try {
    theme = localStorage.getItem('color-scheme')
    token = localStorage.getItem('jwt')
  } catch {
    // Storage is blocked: the system's theme and the sign-in page are right.
  }
  var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')

  var isPublic = /^\/(signup|reset-password|set-password|setup|mailbox)/.test(location.pathname)
  if (token === null || isPublic) return
  root.setAttribute('data-first', 'shell')
  var nav = /(?:^|; )nav=(\w+)/.exec(document.cookie)
  root.setAttribute('data-first-nav', nav ? nav[1] : 'open')

  // What every signed-in page will ask for as soon as the entry has been read; asked for now instead.
  var shared = (document.currentScript.getAttribute('data-signed-in') || '').split(' ')
  shared.filter(Boolean).forEach(function (href) {
    var link = document.createElement('link')
    link.rel = href.endsWith('.css') ? 'preload' : 'modulepreload'
    if (link.rel === 'preload') link.as = 'style'
    link.crossOrigin = ''
    link.href = href
    document.head.append(link)
  })
})()
