// Runs before the first island of a page (astro.config.mjs). An error here prevents all islands from starting.
// The first island may precede the root element, so the script waits until the document is parsed.

if (document.readyState === 'loading') {
  await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
}
if (document.getElementById('root') === null) throw new Error('Failed to find the root element')

// Makes this a module, where `await` is allowed.
export {}
