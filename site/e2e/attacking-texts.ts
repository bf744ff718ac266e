/** Texts that run as a script where they are not escaped: as an element, in an attribute, in a script. */
export const attackingTexts = [
  '<script>alert(1)</script>',
  '<ScRiPt>alert(2)</sCrIpT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '</title><script>alert(1)</script>',
  '</textarea><script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<!--><script>alert(1)</script>-->',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<iframe srcdoc="<script>parent.alert(1)</script>">',
  '<a href="javascript:alert(1)" autofocus>Ana</a>',
  '<base href="//evil.example/"><link rel=stylesheet href=x>',
  '<form action="//evil.example"><button>RSVP',
  '" autofocus onfocus="alert(1)" x="',
  "' autofocus onfocus='alert(1)' x='",
  '"><script>alert(1)</script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;&#x22;&quot;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: attackers type it.
  '${alert(1)}{{constructor.constructor("alert(1)")()}}',
  '\\u003cscript\\u003ealert(1)//\u2028\\";alert(1)//',
]

/** An address whose local part is valid and attacks. */
export const attackingAddress = (position: number) => `'-alert.${position}-'onfocus'x@evil.example`
