//! A plot on the page: its title, what to see in it, and the drawing.

use super::html::escape;

pub struct Figure {
    /// Its name in the page, and of the file it is saved as.
    pub id: String,
    pub title: &'static str,
    pub note: String,
    /// Further controls, as HTML.
    pub controls: String,
    pub svg: String,
}

impl Figure {
    pub fn html(&self) -> String {
        let Figure {
            id,
            title,
            note,
            controls,
            svg,
        } = self;
        format!(
            "<figure id=\"{id}\"><figcaption><h3>{title}</h3><p>{}</p></figcaption>{controls}{svg}\
             <button type=\"button\" class=\"save scripted\" data-save=\"{id}\">Save as SVG</button>\
             </figure>\n",
            escape(note)
        )
    }
}
