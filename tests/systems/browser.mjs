// browser.mjs EINSPUL WORK [SCREENSHOTS]: the page in Chromium, one part after the other.
import {finish} from './browser_kit.mjs';

for (const part of ['study', 'answers', 'tasks', 'kept', 'chapters', 'layout', 'embed', 'views']) await import(`./browser_${part}.mjs`);
await finish();
