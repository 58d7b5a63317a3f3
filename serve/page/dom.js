import {recall, remember} from './browser.js';
import {text} from './texts.js';

// Making elements: tag.class, attributes (on… are listeners, `style` an object), children.
const maker = space => (tag, attributes = {}, ...children) => {
  const [name, ...classes] = tag.split('.');
  const element = document.createElementNS(space, name);
  if (classes.length) element.setAttribute('class', classes.join(' '));
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (key === 'style') Object.assign(element.style, value);
    else element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false));
  return element;
};

export const make = maker('http://www.w3.org/1999/xhtml');
export const makeSvg = maker('http://www.w3.org/2000/svg');

// Renders children into a host. A child equal to the existing one is kept, so that a click survives a
// re-render; lists that look alike but belong to different positions carry `data-of`. Restores focus to the
// element with the same data-key, or else to the first enabled button. If none exists yet, a later render
// does so.
export function mount(host, ...children) {
  if (host.contains(document.activeElement)) host.dataset.focus = document.activeElement.dataset.key ?? '';
  const {scrollTop} = host;
  const fresh = children.flat(Infinity).filter(Boolean);
  while (host.childNodes.length > fresh.length) host.lastChild.remove();
  fresh.forEach((child, i) => {
    const old = host.childNodes[i];
    if (!old) host.append(child);
    else if (!old.isEqualNode(child)) old.replaceWith(child);
  });
  host.scrollTop = scrollTop;
  if (host.dataset.focus === undefined) return;
  if (document.activeElement === document.body)
    (host.querySelector(`[data-key="${CSS.escape(host.dataset.focus)}"]:not(:disabled)`) ?? host.querySelector('button:not(:disabled)'))?.focus({preventScroll: true});
  if (document.activeElement !== document.body) delete host.dataset.focus;
}

// A drop-down list: [[value, words], …].
export const choice = (value, options, attributes = {}) => make('select', attributes, options.map(([own, words]) => make('option', {value: own, selected: String(own) === String(value)}, words)));

// Icon paths on a 20 by 20 grid.
const signs = {
  undo: 'M4 8h8a4 4 0 0 1 0 8H8M4 8l4-4M4 8l4 4', redo: 'M16 8H8a4 4 0 0 0 0 8h4M16 8l-4-4M16 8l-4 4',
  first: 'M5 4v12M15 4l-7 6 7 6', back: 'M13 4l-7 6 7 6', forward: 'M7 4l7 6-7 6', last: 'M15 4v12M5 4l7 6-7 6', flip: 'M6 3v14M6 17l-3-3M6 17l3-3M14 17V3M14 3l-3 3M14 3l3 3',
  turn: 'M4 10a6 6 0 0 1 10-4l2 2M16 4v4h-4M16 10a6 6 0 0 1-10 4l-2-2M4 16v-4h4', clear: 'M4 6h12M8 6V4h4v2M6 6l1 11h6l1-11',
  setup: 'M10 3v14M3 10h14M10 3L8 5M10 3l2 2M10 17l-2-2M10 17l2-2M3 10l2-2M3 10l2 2M17 10l-2-2M17 10l-2 2',
  remove: 'M5 5l10 10M15 5L5 15', map: 'M3 3h14v14H3zM10 3v14M3 10h14', best: 'M10 3l2 4.500 5 .5-3.700 3.300 1.200 4.900L10 13.700 5.500 16.200l1.200-4.900L3 8l5-.5z',
  next_mistake: 'M10 3l8 14H2zM10 8v4M10 14.500v.5', settings: 'M3 5h14M3 10h14M3 15h14', theme: 'M10 3a7 7 0 1 0 .1 0M10 3v14M10 6a4 4 0 0 1 0 8',
  game: 'M5 3h10v14H5zM8 7h4M8 10h4M8 13h2', train: 'M10 3a7 7 0 1 0 .1 0M10 7a3 3 0 1 0 .1 0',
  materials: 'M4 16V9M8 16V4M12 16v-5M16 16V7', search: 'M8.500 3a5.500 5.500 0 1 0 .1 0M13 13l4 4', fold: 'M5 8l5 5 5-5', help: 'M10 3a7 7 0 1 0 .1 0M8 8a2 2 0 1 1 2 2.500v1M10 14v.5', };

export const sign = name => makeSvg('svg.sign', {viewBox: '0 0 20 20', width: 20, height: 20, 'aria-hidden': true}, makeSvg('path', {d: signs[name === 'position' ? 'map' : name]}));

// An icon button; its name is the accessible label and the tooltip.
export const signButton = (name, onclick, more = {}) => make('button.sign-button', {type: 'button', 'aria-label': text(name), title: text(name), 'data-key': `sign-${name}`, onclick, ...more}, sign(name));

// Navigation steps by key name.
export const stepKeys = {Home: 'first', ArrowLeft: 'back', ArrowRight: 'forward', End: 'last'};
export const stepButtons = (step, atStart, atEnd) => Object.values(stepKeys).map((name, i) => signButton(name, () => step(name), {disabled: i < 2 ? atStart : atEnd}));

// Follows a pointer that was put down: `move` is called once the pointer has moved a few pixels, `stop` at
// the end.
export function followPointer(event, move, stop) {
  const over = new AbortController();
  let moved = false;
  const listen = (name, run) => addEventListener(name, ahead => { if (ahead.pointerId === event.pointerId) run(ahead); }, {signal: over.signal});
  const end = last => { over.abort(); stop(last, moved); };
  listen('pointermove', ahead => {
    moved ||= Math.hypot(ahead.clientX - event.clientX, ahead.clientY - event.clientY) > 5;
    if (moved) move(ahead);
  });
  listen('pointerup', end);
  listen('pointercancel', end);
}

export const announce = words => { document.getElementById('status').textContent = words; };

// A button whose label is the text of a key.
export const textButton = (key, onclick, more = {}) => make('button', {type: 'button', 'data-key': key, onclick, ...more}, text(key));

// After a failure: a button that repeats the call.
export const againButton = run => make('p', {}, textButton('again', run));

// A check box for a setting that the browser keeps as on or off.
export const setting = (name, key, usual, changed) => make('label', {}, make('input', {type: 'checkbox', 'data-key': name, checked: (recall(name) ?? usual) === 'on', onchange: event => {
  remember(name, event.target.checked ? 'on' : 'off');
  changed?.();
}}), ` ${text(key)}`);

export async function pngOf(svg) {
  const image = make('img', {src: `data:image/svg+xml,${encodeURIComponent(svg)}`});
  await image.decode();
  const {width, height} = image;
  const canvas = make('canvas', {width, height});
  canvas.getContext('2d').drawImage(image, 0, 0);
  return new Promise(resolve => { canvas.toBlob(resolve, 'image/png'); });
}

export function download(content, name, type = 'application/vnd.chess-pdn') {
  const href = URL.createObjectURL(new Blob([content], {type}));
  make('a', {href, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

// Copies a text, and confirms it on the button for a moment.
export async function copy(words, button) {
  const children = [...button.childNodes];
  try {
    await navigator.clipboard.writeText(words);
  } catch { // clipboard API denied, or page not served over HTTPS: fall back to execCommand
    const area = make('textarea', {}, words);
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  button.dataset.copied = words;
  button.textContent = text('copied');
  announce(text('copied'));
  setTimeout(() => button.replaceChildren(...children), 1500);
}
