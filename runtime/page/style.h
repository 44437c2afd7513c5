/* style.h: the style sheet of all pages. */
#ifndef CLEAVE_PAGE_STYLE_H
#define CLEAVE_PAGE_STYLE_H

extern const char cleave_page_style[];

#endif
